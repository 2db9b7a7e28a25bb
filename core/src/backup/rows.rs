//! Row format of backups: each row is a line of JSON, an array of the fields in the order of the column names. UUIDs
//! are texts with dashes, times RFC 3339 in UTC with microseconds, bytes base64, floating-point numbers texts that
//! parse back exactly.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, SecondsFormat, Utc};
use futures_util::TryStreamExt as _;
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::{Error, Result};
use kurso_base::hex::hex;
use kurso_db::Snapshot;
use kurso_db::tables::{Column, ColumnType, Fields, Table, Value};

/// The number of rows and the hash of their lines.
#[derive(Clone, Default)]
pub struct Sum {
    pub rows: u64,
    hash: Sha256,
}

impl Sum {
    pub fn add(&mut self, line: &[u8]) {
        self.rows += 1;
        self.hash.update(line);
    }

    /// Returns the number of rows and the hash in hexadecimal digits.
    pub fn finish(self) -> (u64, String) {
        (self.rows, hex(&self.hash.finalize()))
    }
}

/// Appends the line of a row, including its line break.
pub fn write(row: &Fields, to: &mut Vec<u8>) -> Result<()> {
    let fields = row.iter().map(|value| match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) => Json::from(*value),
        Value::Real(value) => Json::String(value.to_string()),
        Value::Text(value) => Json::String(value.clone()),
        Value::Bytes(value) => Json::String(STANDARD.encode(value)),
        Value::Uuid(value) => Json::String(value.to_string()),
        Value::Time(value) => Json::String(value.to_rfc3339_opts(SecondsFormat::Micros, true)),
    });
    let fields: Vec<Json> = fields.collect();
    serde_json::to_writer(&mut *to, &fields).map_err(std::io::Error::from)?;
    to.push(b'\n');
    Ok(())
}

/// Parses a line written by [`write`].
pub fn read(columns: &[Column], line: &[u8]) -> Result<Fields> {
    let damaged = || Error::Damaged("a row cannot be read".to_owned());
    let fields: Vec<Json> = serde_json::from_slice(line).map_err(|_| damaged())?;
    if fields.len() != columns.len() {
        return Err(damaged());
    }
    let values = columns
        .iter()
        .zip(fields)
        .map(|(column, field)| value(column.kind, field).ok_or_else(damaged));
    values.collect()
}

/// Parses a field. None if it is not of this type.
pub fn value(kind: ColumnType, field: Json) -> Option<Value> {
    Some(match (kind, field) {
        (_, Json::Null) => Value::Null,
        (ColumnType::Bool, Json::Bool(value)) => Value::Bool(value),
        (ColumnType::Int, Json::Number(value)) => Value::Int(value.as_i64()?),
        (ColumnType::Real, Json::String(value)) => Value::Real(value.parse().ok()?),
        (ColumnType::Text, Json::String(value)) => Value::Text(value),
        (ColumnType::Bytes, Json::String(value)) => Value::Bytes(STANDARD.decode(value).ok()?),
        (ColumnType::Uuid, Json::String(value)) => Value::Uuid(value.parse().ok()?),
        (ColumnType::Time, Json::String(value)) => {
            Value::Time(DateTime::parse_from_rfc3339(&value).ok()?.with_timezone(&Utc))
        }
        _ => return None,
    })
}

/// The sum of a whole table in a snapshot.
pub async fn sum_of(table: &Table, on: &mut Snapshot) -> Result<(u64, String)> {
    let (mut sum, mut line) = (Sum::default(), Vec::new());
    let mut rows = table.rows(on)?;
    while let Some(row) = rows.try_next().await? {
        line.clear();
        write(&row, &mut line)?;
        sum.add(&line);
    }
    Ok(sum.finish())
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn field() -> impl Strategy<Value = (ColumnType, Value)> {
        prop_oneof![
            any::<bool>().prop_map(|v| (ColumnType::Bool, Value::Bool(v))),
            any::<i64>().prop_map(|v| (ColumnType::Int, Value::Int(v))),
            any::<f64>().prop_map(|v| (ColumnType::Real, Value::Real(v))),
            ".*".prop_map(|v| (ColumnType::Text, Value::Text(v))),
            any::<Vec<u8>>().prop_map(|v| (ColumnType::Bytes, Value::Bytes(v))),
            any::<u128>().prop_map(|v| (ColumnType::Uuid, Value::Uuid(Uuid::from_u128(v)))),
            (0..4_000_000_000_000_000i64).prop_map(|v| (
                ColumnType::Time,
                Value::Time(DateTime::UNIX_EPOCH + TimeDelta::microseconds(v))
            )),
            Just((ColumnType::Time, Value::Null)),
        ]
    }

    proptest! {
        #[test]
        fn rows_round_trip_exactly(row in prop::collection::vec(field(), 0..6)) {
            let columns: Vec<_> = row.iter().map(|(kind, _)| Column { name: "c".into(), kind: *kind }).collect();
            let fields: Fields = row.into_iter().map(|(_, value)| value).collect();
            let mut line = Vec::new();
            write(&fields, &mut line).unwrap();
            prop_assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
            prop_assert_eq!(read(&columns, &line).unwrap(), fields);
        }

        #[test]
        fn invalid_rows_are_rejected(line in any::<Vec<u8>>()) {
            let columns = [Column { name: "c".into(), kind: ColumnType::Bytes }];
            let _ = read(&columns, &line);
        }
    }
}
