// "Did you mean": the valid name nearest to a mistyped one, for the remedy of an InputError.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rumple {

// Fewest insertions, deletions, substitutions and swaps of neighbours that turn a into b (optimal string
// alignment). Case, '_', '-' and spaces count for nothing: "epsInf", "eps-inf" and "EPS_INF" are one name.
inline int edit_distance(std::string_view a, std::string_view b) {
    const auto letters = [](std::string_view text) {
        std::string out;
        for (const char c : text)
            if (c != '_' && c != '-' && c != ' ')
                out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return out;
    };
    const std::string s = letters(a), t = letters(b);
    const std::size_t n = t.size();
    std::vector<int> before_last(n + 1), last(n + 1), row(n + 1);  // rows i-2, i-1 and i of the table
    for (std::size_t j = 0; j <= n; ++j) row[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= s.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= n; ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (s[i - 1] != t[j - 1])});
            if (i > 1 && j > 1 && s[i - 1] == t[j - 2] && s[i - 2] == t[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[n];
}

// The candidate nearest to `name`, the first of equals; empty when none is near enough to be what was meant
// (more than half of the letters differ). `candidates` is any range of strings.
template <class Names>
std::string nearest_name(std::string_view name, const Names& candidates) {
    std::string best;
    int best_distance = std::max(1, static_cast<int>(name.size()) / 2) + 1;
    for (const auto& candidate : candidates) {
        const int distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best = candidate;
        best_distance = distance;
    }
    return best;
}

// The remedy for an unknown name: `did you mean "eps_inf"?`, or all valid names where none is near.
template <class Names>
std::string suggestion(std::string_view name, const Names& candidates) {
    if (const std::string nearest = nearest_name(name, candidates); !nearest.empty())
        return "did you mean \"" + nearest + "\"?";
    std::string all;
    for (const auto& candidate : candidates) {
        if (!all.empty()) all += ", ";
        all += candidate;
    }
    return "valid are " + all;
}

}  // namespace rumple
