//! Prints the JSON Schema of a suite; `manifests/suite.schema.json` holds its output.

fn main() {
    println!("{:#}", atlas_gt::scoring::suite::suite_schema());
}
