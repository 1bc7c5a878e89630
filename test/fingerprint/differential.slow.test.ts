// The same tests at full size.
import './differential.test.ts';
