//! `shaderdata_<SE>_<i>.json`: the records of one shader engine, one after the other.

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::json::{Cell, Malformed};
use super::record::Record;

/// What a file holds beside its records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows that are records.
    pub records: u64,
    /// Rows that are none: a column is missing, or no number that fits. They are left out.
    pub malformed_rows: u64,
    /// Records whose time does not fit into 64 bits with a sign and was cut down to that.
    pub saturated: u64,
    /// How many records there should be, when the file says.
    pub declared: Option<u64>,
    /// Where the file is no longer JSON; what stands before is read.
    pub malformed: Option<Malformed>,
    /// A column that records need and that the file's schema does not have: nothing is read.
    pub missing_column: Option<&'static str>,
}

/// Calls `each` with every record of a file of `bytes`, in the order of the file, until it breaks.
///
/// Columns are found by `records_schema`, wherever in the file that stands, else they are in the order of version 3.0.0:
/// time, value, cu, simd, wave_id, flags. Columns of other names are skipped. Holds one row at a time. Never fails; what is
/// wrong is in the summary.
pub fn read(bytes: &[u8], mut each: impl FnMut(Record) -> ControlFlow<()>) -> Summary {
    let mut reader = Reader { bytes, each: &mut each, columns: None, summary: Summary::default(), stopped: false };
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let outcome = (&mut reader).deserialize(&mut json).and_then(|()| json.end());
    if let Err(error) = outcome
        && !reader.stopped
    {
        reader.summary.malformed = Some(Malformed::new(bytes, &error));
    }
    reader.summary
}

const NAMES: [&str; 6] = ["time", "value", "cu", "simd", "wave_id", "flags"];

/// Where the fields of [`NAMES`] stand in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Columns {
    /// The field of each column; [`Columns::SKIPPED`] for others.
    fields: Vec<usize>,
    /// A bit for each field that has a column.
    present: u8,
}

impl Columns {
    /// A place behind the fields, where what nobody needs goes.
    const SKIPPED: usize = NAMES.len();

    fn named(names: &[Cow<'_, str>]) -> Columns {
        let mut present = 0;
        let mut field = |name: &Cow<'_, str>| {
            let found = NAMES.iter().position(|known| known == name).filter(|at| present & 1 << at == 0);
            found.inspect(|at| present |= 1 << at).unwrap_or(Columns::SKIPPED)
        };
        let fields = names.iter().map(&mut field).collect();
        Columns { fields, present }
    }

    fn in_order() -> Columns {
        Columns::named(&NAMES.map(Cow::Borrowed))
    }

    /// A field that is not there and must be; flags need not.
    fn missing(&self) -> Option<&'static str> {
        (0..NAMES.len() - 1).find(|at| self.present & 1 << at == 0).map(|at| NAMES[at])
    }
}

struct Reader<'a, F> {
    bytes: &'a [u8],
    each: &'a mut F,
    columns: Option<Columns>,
    summary: Summary,
    stopped: bool,
}

impl<'de, F: FnMut(Record) -> ControlFlow<()>> DeserializeSeed<'de> for &mut Reader<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, F: FnMut(Record) -> ControlFlow<()>> Visitor<'de> for &mut Reader<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `records`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match &*key {
                "records_schema" => self.columns = map.next_value::<Schema>()?.0,
                "records_count" => self.summary.declared = map.next_value::<Cell>()?.to(),
                "records" => {
                    let columns = self.columns.take().or_else(|| schema_of(self.bytes));
                    let columns = columns.unwrap_or_else(Columns::in_order);
                    self.summary.missing_column = columns.missing();
                    if self.summary.missing_column.is_some() {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        map.next_value_seed(Rows { reader: self, columns: &columns })?;
                    }
                    self.columns = Some(columns);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

/// The schema of a file in which it stands behind the records, or in none.
fn schema_of(bytes: &[u8]) -> Option<Columns> {
    #[derive(serde::Deserialize)]
    struct Behind {
        #[serde(default)]
        records_schema: Schema,
    }
    serde_json::from_slice::<Behind>(bytes).ok()?.records_schema.0
}

/// Names of columns; `None` when the value is something else.
#[derive(Default)]
struct Schema(Option<Columns>);

impl<'de> serde::Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Schema, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let names = value.as_array().map(|names| {
            let name = |name: &serde_json::Value| Cow::Owned(name.as_str().unwrap_or_default().to_owned());
            names.iter().map(name).collect::<Vec<_>>()
        });
        Ok(Schema(names.map(|names| Columns::named(&names))))
    }
}

/// The array of rows.
struct Rows<'r, 'a, F> {
    reader: &'r mut Reader<'a, F>,
    columns: &'r Columns,
}

impl<'de, F: FnMut(Record) -> ControlFlow<()>> DeserializeSeed<'de> for Rows<'_, '_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        // A file without records may say null.
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: FnMut(Record) -> ControlFlow<()>> Visitor<'de> for Rows<'_, '_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of records")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let summary = &mut self.reader.summary;
        while let Some(row) = seq.next_element_seed(Row(self.columns))? {
            let Some((record, saturated)) = row else {
                summary.malformed_rows += 1;
                continue;
            };
            summary.records += 1;
            summary.saturated += u64::from(saturated);
            if (self.reader.each)(record).is_break() {
                self.reader.stopped = true;
                return Err(A::Error::custom("enough"));
            }
        }
        Ok(())
    }
}

/// One row: a record and whether its time was cut down, or `None`.
#[derive(Clone, Copy)]
struct Row<'a>(&'a Columns);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = Option<(Record, bool)>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = Option<(Record, bool)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut cells = [Cell::Other; NAMES.len() + 1];
        cells[NAMES.len() - 1] = Cell::Unsigned(0);
        let mut columns = self.0.fields.iter();
        while let Some(cell) = seq.next_element::<Cell>()? {
            cells[*columns.next().unwrap_or(&Columns::SKIPPED)] = cell;
        }
        Ok(record(&cells))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

#[inline]
fn record(cells: &[Cell; NAMES.len() + 1]) -> Option<(Record, bool)> {
    let [cycles, value, cu, simd, slot, flags, _] = cells;
    let (cycles, saturated) = cycles.cycles()?;
    let (value, cu, simd, slot, flags) = (value.to()?, cu.to()?, simd.to()?, slot.to()?, flags.to()?);
    Some((Record { cycles, value, cu, simd, slot, flags }, saturated))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> (Vec<Record>, Summary) {
        let mut records = Vec::new();
        let summary = read(text.as_bytes(), |record| {
            records.push(record);
            ControlFlow::Continue(())
        });
        (records, summary)
    }

    const FIRST: Record = Record { cycles: 10, value: 6, cu: 1, simd: 2, slot: 3, flags: 1 };

    #[test]
    fn columns_are_in_the_usual_order_without_a_schema() {
        let (found, summary) = records(r#"{"records": [[10, 6, 1, 2, 3, 1], [-5, 4294967295, 0, 0, 0]]}"#);
        let second = Record { cycles: -5, value: u32::MAX, ..Record::default() };
        assert_eq!(found, [FIRST, second]);
        assert_eq!(summary, Summary { records: 2, ..Summary::default() });
    }

    #[test]
    fn columns_are_found_by_name_before_and_behind_the_records() {
        let schema = r#""records_schema": ["simd", "new", "value", "time", "flags", "wave_id", "cu"]"#;
        let rows = r#""records": [[2, "x", 6, 10, 1, 3, 1]]"#;
        for text in [format!("{{{schema}, {rows}}}"), format!("{{{rows}, {schema}}}")] {
            assert_eq!(records(&text).0, [FIRST], "{text}");
        }
    }

    #[test]
    fn a_schema_without_a_needed_column_gives_no_records() {
        let (found, summary) =
            records(r#"{"records_schema": ["time", "cu", "simd", "wave_id"], "records": [[1,2,3,4]]}"#);
        assert_eq!((found.len(), summary.missing_column), (0, Some("value")));
    }

    #[test]
    fn rows_that_are_no_records_are_counted_and_left_out() {
        let rows = "[10,6,1,2,3,1], [1,2], 7, null, \"a\", {\"a\":1}, [1,-1,0,0,0,0], [1,1,256,0,0,0], [1.5,1,0,0,0,0]";
        let (found, summary) = records(&format!("{{\"records_count\": 9, \"records\": [{rows}]}}"));
        assert_eq!((found.as_slice(), summary.malformed_rows, summary.declared), ([FIRST].as_slice(), 8, Some(9)));
    }

    #[test]
    fn times_beyond_64_bits_with_a_sign_are_cut_down() {
        let (found, summary) = records(r#"{"records": [[9223372036854775808, 1, 0, 0, 0, 0]]}"#);
        assert_eq!((found[0].cycles, summary.saturated), (i64::MAX, 1));
    }

    #[test]
    fn a_file_that_ends_early_gives_what_it_has_and_says_where() {
        let (found, summary) = records(r#"{"records": [[10, 6, 1, 2, 3, 1], [11, "#);
        assert_eq!(found, [FIRST]);
        assert_eq!(summary.malformed.map(|malformed| malformed.offset), Some(39));
    }

    #[test]
    fn reading_ends_when_enough_was_seen() {
        let mut seen = 0;
        let summary = read(br#"{"records": [[1,1,0,0,0,0],[2,1,0,0,0,0]]}"#, |_| {
            seen += 1;
            ControlFlow::Break(())
        });
        assert_eq!((seen, summary.malformed), (1, None));
    }
}
