// The same tests at full size.
import './escapes.test.ts';
