#include <rumple/io/json_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <rumple/core/error.hpp>
#include <set>
#include <vector>

namespace rumple {
namespace {

// Line and column, both from 1, of a byte of the text.
std::string place_of(std::string_view text, std::size_t byte, const std::string& name) {
    byte = std::min(byte, text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n') + 1;
    const std::size_t newline = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
    const std::size_t column = newline == std::string_view::npos ? byte + 1 : byte - newline;
    return fmt::format("{}:{}:{}", name, line, column);
}

// What a person most likely meant who wrote this; empty where nothing comes to mind.
std::string hint_of(std::string_view text, std::size_t byte, const std::string& message) {
    if (message.find("UTF-8") != std::string::npos) return "save the file as UTF-8";
    if (message.find("number overflow") != std::string::npos) return "this number is too large";
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "there is nothing in it";
    if (byte >= text.size()) return "the text ends before its brackets are closed";
    const char c = text[byte];
    const std::size_t before =
        byte == 0 ? std::string_view::npos : text.find_last_not_of(" \t\r\n", byte - 1);
    const bool after_comma = before != std::string_view::npos && text[before] == ',';
    if (c == '/' || c == '#') return "JSON has no comments: take it out";
    if (c == '\'') return "texts stand in double quotes";
    if ((c == '}' || c == ']') && after_comma) return "there is a comma too many before it";
    if (c == 'N' || c == 'I') return "numbers must be finite";
    if (c == '"') return "is there a comma missing before it, or a colon?";
    if (before == std::string_view::npos) return "is it the right file?";
    return "";
}

// A message quotes the text, which may be anything, and of any length.
std::string presentable(std::string message) {
    constexpr std::size_t kLongest = 240, kKept = 100;
    for (char& c : message)
        if (c < ' ' || c > '~') c = '?';
    if (message.size() <= kLongest) return message;
    return message.substr(0, kKept) + " ... " + message.substr(message.size() - kKept);
}

// What nlohmann says, without the parts that we say better.
std::string reason_of(const std::string& message) {
    for (const char* mark : {"unexpected ", "invalid ", "number overflow "})
        if (const auto at = message.find(mark); at != std::string::npos)
            return presentable(message.substr(at));
    const auto end_of_tag = message.find("] ");
    return presentable(end_of_tag == std::string::npos ? message : message.substr(end_of_tag + 2));
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& name) {
    using Event = nlohmann::json::parse_event_t;
    std::vector<std::set<std::string>> open;  // keys so far of the objects around the current place
    const auto refuse = [&](int depth, Event event, nlohmann::json& parsed) {
        if (depth > kDeepestJson)
            throw InputError(name, fmt::format("its brackets are nested more than {} deep", kDeepestJson),
                             "is it the right file?");
        if (event == Event::object_start) open.emplace_back();
        if (event == Event::object_end) open.pop_back();
        if (event == Event::key && !open.back().insert(parsed.get<std::string>()).second)
            throw InputError(name, fmt::format("an object has the key {} twice", presentable(parsed.dump())),
                             "remove one of them");
        return true;
    };
    try {
        return nlohmann::json::parse(text.begin(), text.end(), refuse);
    } catch (const nlohmann::json::parse_error& error) {
        const std::size_t byte = error.byte > 0 ? error.byte - 1 : 0;
        const std::string hint = hint_of(text, byte, error.what()), reason = reason_of(error.what());
        throw InputError(place_of(text, byte, name), "not JSON",
                         hint.empty() ? reason : reason + "; " + hint);
    } catch (const nlohmann::json::exception& error) {
        throw InputError(name, "not JSON", reason_of(error.what()) + "; " + hint_of(text, 0, error.what()));
    }
}

}  // namespace rumple
