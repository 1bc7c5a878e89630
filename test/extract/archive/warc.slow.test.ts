// The same tests at full size.
import './warc.test.ts';
