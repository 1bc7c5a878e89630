// The same tests at full size.
import './normalise.test.ts';
