// Pieces of a page that opens from disk: text made safe, files turned into data, a style for screens of every
// size, for the dark and for paper.
#pragma once

#include <rumple/render/csv_table.hpp>
#include <string>
#include <string_view>

namespace rumple {

std::string base64(std::string_view bytes);
std::string html_text(std::string_view text);  // <, >, & and quotes escaped
// "data:image/png;base64,..."
std::string data_uri(std::string_view media_type, std::string_view bytes);

std::string figure(const std::string& content, const std::string& caption);
std::string image_tag(std::string_view media_type, std::string_view bytes, const std::string& description);
std::string film_tag(std::string_view mp4);
std::string table_tag(const CsvTable& table);

// A whole page around its body.
std::string web_page(const std::string& title, const std::string& body);

}  // namespace rumple
