// The same tests at full size.
import './hash.test.ts';
