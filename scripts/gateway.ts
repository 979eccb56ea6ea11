/** `npm run gateway -- COMMAND`: the gateway's own commands, from a clone. */
import '../gateway/src/main.ts';
