// The same tests at full size.
import './removals.test.ts';
