#!/bin/bash
# usage: ids.sh ROWS DISASSEMBLY [WORDS]: fails unless every id that the code traces is in the map, and every id of the
# map, but those of the barrier and memory groups, in the code.
#
# Reads constants: immediates, and what M0 is written from. WORDS names words that are no header, separated by `|`.
set -euo pipefail
rows=$1 code=$2 others=${3:-1}
mapped=$(sed -nE 's/^[FUP]:([0-9]+):.*/\1/p' "$rows" | sort -u)
must=$(grep -vE '^P:[0-9]+:(barrier|barrier_signal|barrier_wait|vmem_load|vmem_store)$' "$rows" | sed -nE 's/^[FUP]:([0-9]+):.*/\1/p' | sort -u)
traced=$(sed -nE 's/.*(s_ttracedata_imm|s_mov_b32 m0,) (0x[0-9a-f]+|[0-9]+) *(\/\/.*)?$/\2/p' "$code" | while read -r word; do
  echo $((word))
done | grep -vxE "1|$others" | while read -r word; do echo $((word >> 2)); done | sort -u)
unmapped=$(comm -13 <(echo "$mapped") <(echo "$traced"))
dead=$(comm -23 <(echo "$must") <(echo "$traced"))
[ -z "$unmapped$dead" ] || { echo "not in the map: $unmapped; not in the code: $dead"; exit 1; }
