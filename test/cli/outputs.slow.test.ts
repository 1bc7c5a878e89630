// The same tests at full size.
import './outputs.test.ts';
