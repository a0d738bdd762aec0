//! The 32-bit word of a marker: encode and decode side by side (spec "Marker Encoding").
