#!/usr/bin/env node
import { dispatch, guardProcess } from './dispatch.ts';

guardProcess();
process.exitCode = await dispatch(process.argv.slice(2));
