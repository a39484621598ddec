<?php
/**
 * What happens before plugins and theme are loaded.
 *
 * @package PicketBridge
 */

/**
 * The must-use plugin calls it for a nudge and in safe mode, so that fixes can be undone on a site where a plugin or the theme
 * is fatal on every request, or lets nobody in. Nothing else of this plugin, and no other plugin, is loaded then.
 */
final class Picket_Bridge_Before_Plugins {

	const BODY_BYTES = 4096;

	/**
	 * Handles a request that begins.
	 *
	 * @param bool $is_safe_mode Whether somebody has switched all fixes off by hand.
	 * @param bool $is_nudge     Whether it is a request to the endpoint.
	 */
	public static function run( bool $is_safe_mode, bool $is_nudge ): void {
		if ( $is_safe_mode ) {
			// Once WordPress has included all must-use plugins: it would complain about those that are deleted before.
			add_action( 'muplugins_loaded', array( __CLASS__, 'undo_all' ) );
		}
		if ( ! $is_nudge ) {
			return;
		}
		// phpcs:ignore WordPress.WP.AlternativeFunctions -- It is no URL.
		$body = json_decode( (string) file_get_contents( 'php://input', false, null, 0, self::BODY_BYTES ), true );
		if ( is_array( $body ) && true === ( $body['undo'] ?? null ) ) {
			self::answer( $body );
		}
	}

	/**
	 * Does the undo jobs of Picket, answers and ends the request.
	 *
	 * @param array $body As decoded.
	 */
	private static function answer( array $body ): void {
		require_once dirname( __DIR__ ) . '/picket-bridge.php';
		require_once __DIR__ . '/load.php';
		// For `wp_salt()`. This request ends before a plugin could replace one of these functions.
		require_once ABSPATH . WPINC . '/pluggable.php';
		$answer = null;
		if ( Picket_Bridge_Nudge::is_signed( $body ) ) {
			// Picket may give up, and what was begun is finished anyway.
			ignore_user_abort( true );
			Picket_Bridge_Poll::undo_before_plugins();
			$answer = Picket_Bridge_Nudge::answer( $body );
		}
		status_header( null === $answer ? 403 : 200 );
		nocache_headers();
		header( 'Content-Type: application/json' );
		echo wp_json_encode( $answer );
		exit;
	}

	/**
	 * Undoes all fixes, unless another request is doing something.
	 */
	public static function undo_all(): void {
		require_once __DIR__ . '/load.php';
		if ( Picket_Bridge_Safe_Mode::is_due() && Picket_Bridge_Poll::lock( 0 ) ) {
			Picket_Bridge_Safe_Mode::undo();
			Picket_Bridge_Poll::unlock();
		}
	}
}
