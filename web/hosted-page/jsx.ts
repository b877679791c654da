/** The build puts these behind the tags of every file. */
export { Fragment, h } from 'preact';
