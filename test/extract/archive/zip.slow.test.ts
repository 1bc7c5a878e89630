// The same tests at full size.
import './zip.test.ts';
