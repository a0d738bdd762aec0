# Of a disassembly in which every marker has one payload: prints what stands between each header and its payload.
/s_ttracedata/ { if (++seen % 2 == 0) printf "%s", between; between = ""; next }
/^ / { between = between $0 "\n" }
END { if (seen == 0 || seen % 2) print "odd number of records: " seen }
