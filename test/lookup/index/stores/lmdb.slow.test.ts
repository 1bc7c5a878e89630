// The same tests at full size.
import './lmdb.test.ts';
