// Pieces of a page that opens from disk: text made safe, files turned into data.
#pragma once

#include <string>
#include <string_view>

namespace rumple {

std::string base64(std::string_view bytes);
std::string html_text(std::string_view text);  // <, >, & and quotes escaped
// "data:image/png;base64,..."
std::string data_uri(std::string_view media_type, std::string_view bytes);

}  // namespace rumple
