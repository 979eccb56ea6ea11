/** The used part of undici. Loading all of it takes another 15 MB. */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
