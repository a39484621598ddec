<?php
/**
 * The command line.
 *
 * @package PicketBridge
 */

/**
 * Connects this site to Picket.
 */
final class Picket_Bridge_Command {

	/**
	 * Connects this site to Picket.
	 *
	 * ## OPTIONS
	 *
	 * <url>
	 * : The URL of Picket, such as https://picket.example.
	 *
	 * <code>
	 * : The activation code from the dashboard.
	 *
	 * @param string[] $args The arguments.
	 */
	public function connect( array $args ): void {
		$result = Picket_Bridge_Connection::connect( $args[0], $args[1] );
		if ( is_wp_error( $result ) ) {
			WP_CLI::error( $result->get_error_message() );
		}
		WP_CLI::success( __( 'This site is connected to Picket.', 'picket-bridge' ) );
	}
}
