#include <fmt/format.h>

#include <experiments/web_page.hpp>

namespace rumple {

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) -> unsigned {
            return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
        };
        const unsigned word = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (int k = 0; k < 4; ++k) {
            const bool padding = i + std::size_t(k) > bytes.size();
            out += padding ? '=' : kDigits[(word >> (18 - 6 * k)) & 63u];
        }
    }
    return out;
}

std::string html_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string data_uri(std::string_view media_type, std::string_view bytes) {
    return fmt::format("data:{};base64,{}", media_type, base64(bytes));
}

}  // namespace rumple
