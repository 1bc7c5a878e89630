// The same tests at full size.
import './mutants.test.ts';
