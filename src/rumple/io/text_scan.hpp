// Text files line by line and word by word, with the place of every error. Used by the OBJ and PLY readers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rumple {

class LineScanner {
  public:
    LineScanner(std::string_view text, std::string name);

    // The next line without its end (LF or CRLF); false at the end of the text.
    bool next(std::string_view& line);
    // As next(), but a line that ends in a backslash continues in the following one (OBJ); comments do not.
    bool next_joined(std::string_view& line);

    std::size_t offset() const { return offset_; }  // of the first byte not yet given out
    std::string_view rest() const { return text_.substr(offset_); }
    const std::string& name() const { return name_; }
    // "skirt.obj:41", the place of the line last given out.
    std::string place() const { return place(line_); }
    std::string place(std::size_t line) const { return name_ + ":" + std::to_string(line); }
    std::size_t line() const { return line_; }

    // Numbers of the current line; InputError with place() when the word is not one.
    double number(std::string_view word) const;      // finite
    double any_number(std::string_view word) const;  // or nan or inf
    std::int64_t integer(std::string_view word) const;

  private:
    std::string_view text_;
    std::string name_;
    std::size_t offset_ = 0;
    std::size_t line_ = 0;
    std::size_t next_line_ = 1;
};

// Takes the next word off the front of `rest`; empty when there is none. Backslashes and line ends count as
// blanks, so that joined lines read as one.
std::string_view take_word(std::string_view& rest);

// A word fit to stand in a message: short, and without control characters.
std::string in_quotes(std::string_view word);

}  // namespace rumple
