// The same tests at full size.
import './match.test.ts';
