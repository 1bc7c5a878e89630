// The same tests at full size.
import './package.test.ts';
