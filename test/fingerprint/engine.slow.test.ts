// The same tests at full size.
import './engine.test.ts';
