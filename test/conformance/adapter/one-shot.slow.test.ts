// The same tests at full size.
import './one-shot.test.ts';
