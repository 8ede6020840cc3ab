#include <charconv>
#include <cmath>
#include <rumple/core/error.hpp>
#include <rumple/io/text_scan.hpp>
#include <system_error>
#include <utility>

namespace rumple {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\' || c == '\v' || c == '\f';
}

// std::from_chars knows no leading plus; other programs write it.
std::string_view without_plus(std::string_view word) {
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    return word;
}

}  // namespace

LineScanner::LineScanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
    if (text_.starts_with("\xEF\xBB\xBF")) offset_ = 3;  // byte order mark of some Windows editors
}

bool LineScanner::next(std::string_view& line) {
    if (offset_ >= text_.size()) return false;
    const std::size_t end = text_.find('\n', offset_);
    line = text_.substr(offset_, end == std::string_view::npos ? end : end - offset_);
    offset_ = end == std::string_view::npos ? text_.size() : end + 1;
    line_ = next_line_++;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
}

bool LineScanner::next_joined(std::string_view& line) {
    if (!next(line)) return false;
    if (!line.ends_with('\\') || line.starts_with('#')) return true;
    const char* const begin = line.data();
    const std::size_t first = line_;
    std::string_view more = line;
    while (more.ends_with('\\') && next(more)) {
    }
    line = std::string_view(begin, static_cast<std::size_t>(more.data() + more.size() - begin));
    line_ = first;
    return true;
}

double LineScanner::number(std::string_view word) const {
    const double value = any_number(word);
    if (!std::isfinite(value)) throw InputError(place(), in_quotes(word) + " is not a finite number");
    return value;
}

double LineScanner::any_number(std::string_view word) const {
    const std::string_view digits = without_plus(word);
    double value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code == std::errc::result_out_of_range)
        throw InputError(place(), in_quotes(word) + " is beyond the numbers that a computer has");
    if (code != std::errc{} || end != digits.data() + digits.size())
        throw InputError(place(), in_quotes(word) + " is not a number",
                         word.find(',') == std::string_view::npos ? "" : "decimals stand behind a point");
    return value;
}

std::int64_t LineScanner::integer(std::string_view word) const {
    const std::string_view digits = without_plus(word);
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc{} || end != digits.data() + digits.size())
        throw InputError(place(),
                         word.empty() ? "a number is missing" : in_quotes(word) + " is not a whole number");
    return value;
}

std::string_view take_word(std::string_view& rest) {
    std::size_t begin = 0;
    while (begin < rest.size() && is_blank(rest[begin])) ++begin;
    std::size_t end = begin;
    while (end < rest.size() && !is_blank(rest[end])) ++end;
    const std::string_view word = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    return word;
}

std::string in_quotes(std::string_view word) {
    constexpr std::size_t kShown = 40;
    std::string text = "'";
    for (char c : word.substr(0, kShown)) text += c < ' ' || c == 127 ? '?' : c;
    return text + (word.size() > kShown ? "...'" : "'");
}

}  // namespace rumple
