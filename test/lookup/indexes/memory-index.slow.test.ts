// The same tests at full size.
import './memory-index.test.ts';
