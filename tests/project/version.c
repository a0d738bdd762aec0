int version(void) { return 1; }
