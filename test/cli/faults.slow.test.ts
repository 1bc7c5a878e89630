// The same tests at full size.
import './faults.test.ts';
