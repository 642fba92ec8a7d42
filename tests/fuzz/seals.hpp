#pragma once

#include <string>
#include <string_view>

/// Checksums stop every random change, and with them all fuzzing of what comes after. So files are
/// read as they are, and again with the checksums that someone who forges a file would compute.
namespace shortfall::fuzz {

/// A checkpoint or saved solution with the size and the CRC-32 of its content; other bytes as they
/// are.
std::string resealed(std::string_view file);

/// A binary model with the checksums of its blocks and of its header, as far as its index allows;
/// other bytes as they are.
std::string resealed_model(std::string_view file);

/// Bytes in which each zero is followed by the number of further zeros, in two bytes, the lower
/// first, without these numbers: at most 1 MiB. Checkpoints are nearly all zeros, of which random
/// changes would find little else.
std::string with_zeros(std::string_view bytes);

/// The document of a study with the checksum of its text; a text without one as it is.
std::string resealed_document(std::string_view text);

}  // namespace shortfall::fuzz
