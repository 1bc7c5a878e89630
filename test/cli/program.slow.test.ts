// The same tests at full size.
import './program.test.ts';
