// The same tests at full size.
import './table.test.ts';
