/** Every code sample of the contract, run against the gateway. */
import { operations, readBundle } from '../../../contract/src/model.ts';
import { describeSamples } from './run-samples.ts';

describeSamples(operations(readBundle()));
