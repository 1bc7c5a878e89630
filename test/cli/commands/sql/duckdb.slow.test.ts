// The same tests at full size.
import './duckdb.test.ts';
