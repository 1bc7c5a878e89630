// The same tests at full size.
import './gzip.test.ts';
