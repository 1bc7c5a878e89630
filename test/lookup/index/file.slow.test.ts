// The same tests at full size.
import './file.test.ts';
