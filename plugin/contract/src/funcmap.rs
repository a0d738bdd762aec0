//! The `.sqtt_funcmap` section: rows, how they are written and how they are read (spec "Funcmap format").
