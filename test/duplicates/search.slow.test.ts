// The same tests at full size.
import './search.test.ts';
