<?php
/**
 * Safe mode.
 *
 * @package PicketBridge
 */

/**
 * Somebody who cannot use WordPress switches all fixes off by hand: with a file, or a constant in wp-config.php.
 */
final class Picket_Bridge_Safe_Mode {

	/**
	 * The condition, for must-use plugins that work without this class.
	 */
	const CONDITION = "( defined( 'PICKET_SAFE_MODE' ) && PICKET_SAFE_MODE ) || file_exists( WP_CONTENT_DIR . '/picket-safe-mode' )";
	const REASON    = 'Safe mode is on: delete the file wp-content/picket-safe-mode, or remove PICKET_SAFE_MODE from wp-config.php.';

	/**
	 * Returns whether it is on.
	 */
	public static function is_on(): bool {
		return ( defined( 'PICKET_SAFE_MODE' ) && PICKET_SAFE_MODE ) || file_exists( WP_CONTENT_DIR . '/picket-safe-mode' );
	}

	/**
	 * Returns whether it is on, and a fix is still on the site.
	 */
	public static function is_due(): bool {
		if ( self::is_on() ) {
			foreach ( Picket_Bridge_Measurement::checks() as $check ) {
				if ( $check->is_applied() ) {
					return true;
				}
			}
		}
		return false;
	}

	/**
	 * Undoes all fixes. The next poll says so to Picket. Copies of plugins stay: they may be the only way back.
	 */
	public static function undo(): void {
		Picket_Bridge_Jobs::undo_fixes();
		Picket_Bridge_Canary::sweep();
		Picket_Bridge_Measurement::make_due();
	}
}
