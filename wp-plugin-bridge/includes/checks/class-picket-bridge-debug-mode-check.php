<?php
/**
 * The check of the debug mode.
 *
 * @package PicketBridge
 */

/**
 * Reads the constant as the web server has it, and looks for what the debug mode leaves in public.
 */
final class Picket_Bridge_Debug_Mode_Check extends Picket_Bridge_Check {

	/**
	 * Returns whether a page is a log of PHP. The control plane has the same function.
	 *
	 * @param int    $status The HTTP status.
	 * @param string $body   The body.
	 */
	public static function is_log( int $status, string $body ): bool {
		return 200 === $status && 1 === preg_match( '/^\[\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d[^\]\n]*\] /m', $body );
	}

	/**
	 * Returns whether a page shows a message of PHP. The control plane has the same function.
	 *
	 * @param string $body The body.
	 */
	public static function has_message( string $body ): bool {
		return 1 === preg_match( '/<b>(?:Warning|Notice|Deprecated|Fatal error|Parse error)<\/b>: .{1,2000}? on line <b>\d+<\/b>/s', $body );
	}

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		$log = Picket_Bridge_Self_Request::page( content_url( 'debug.log' ) );
		$is_log = ! is_wp_error( $log ) && self::is_log( $log['status'], $log['body'] );
		$home   = Picket_Bridge_Self_Request::page( home_url( '/' ) );
		$view   = Picket_Bridge_Web_View::read();
		if ( is_wp_error( $view ) ) {
			return self::unanswered( 'the settings of PHP', $view );
		}
		if ( $view['debug'] || $is_log ) {
			$found = array_filter(
				array(
					$view['debug'] ? 'WP_DEBUG is on' : '',
					$view['debug'] && ! is_wp_error( $home ) && self::has_message( $home['body'] ) ? 'pages show PHP messages' : '',
					$is_log ? 'everybody can read wp-content/debug.log' : '',
				)
			);
			return self::result( 'failing', implode( ', ', $found ) );
		}
		return self::result( 'passing', 'WP_DEBUG is off' );
	}

	/**
	 * Returns the constant, and the directives that close a log which the debug mode has left.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		$constant = new Picket_Bridge_Config_Constant( 'WP_DEBUG' );
		$lines    = static function (): array {
			return array( '<Files "debug.log">', 'Require all denied', '</Files>' );
		};
		$closed   = new Picket_Bridge_Htaccess_Block( 'debug-mode', WP_CONTENT_DIR, $lines );
		return is_file( WP_CONTENT_DIR . '/debug.log' ) || $closed->is_applied() ? array( $constant, $closed ) : array( $constant );
	}
}
