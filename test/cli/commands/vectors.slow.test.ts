// The same tests at full size.
import './vectors.test.ts';
