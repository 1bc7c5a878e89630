// The same tests at full size.
import './package.test.ts';
import './salvage.test.ts';
