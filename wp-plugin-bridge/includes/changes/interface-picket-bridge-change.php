<?php
/**
 * A change of the site.
 *
 * @package PicketBridge
 */

/**
 * Something that a fix writes, and can take back so that the same bytes are there as before. Whether it is there is read from
 * the site, and never remembered.
 */
interface Picket_Bridge_Change {

	/**
	 * Returns whether the change is on the site.
	 */
	public function is_applied(): bool;

	/**
	 * Returns why this plugin cannot make the change here, or an empty text. It tries the change only where it can break
	 * nothing.
	 */
	public function obstacle(): string;

	/**
	 * Makes the change. Returns what failed, or an empty text.
	 */
	public function write(): string;

	/**
	 * Takes the change back. Returns what failed, or an empty text.
	 */
	public function undo(): string;
}
