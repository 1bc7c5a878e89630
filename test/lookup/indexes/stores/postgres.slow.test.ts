// The same tests at full size.
import './postgres.test.ts';
