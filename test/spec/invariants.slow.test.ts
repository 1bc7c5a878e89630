// The same tests at full size.
import './invariants.test.ts';
