// The same tests at full size.
import './validate.test.ts';
