<?php
/**
 * The fix of XML-RPC.
 *
 * @package PicketBridge
 */

/**
 * A must-use plugin of a few lines, which works on every web server and outlives no deactivation. It is tested by requests to
 * the site itself, and removed again if they do not prove that the site still answers and XML-RPC does not.
 */
final class Picket_Bridge_Xmlrpc_Fix {

	const FILE      = 'picket-bridge-xmlrpc.php';
	const MARK      = 'Picket Bridge: XML-RPC is closed';
	const TIMEOUT_S = 10;

	/**
	 * Returns the content of the file.
	 */
	private static function content(): string {
		return "<?php\n"
			. '/*' . "\n"
			. 'Plugin Name: ' . self::MARK . "\n"
			. 'Description: Written by the plugin Picket Bridge, which removes it when it is deactivated. An empty file' . "\n"
			. 'wp-content/picket-safe-mode, or PICKET_SAFE_MODE in wp-config.php, switches it off.' . "\n"
			. '*/' . "\n"
			. "if ( defined( 'XMLRPC_REQUEST' ) && XMLRPC_REQUEST && ! ( defined( 'PICKET_SAFE_MODE' ) && PICKET_SAFE_MODE )\n"
			. "\t&& ! file_exists( WP_CONTENT_DIR . '/picket-safe-mode' ) ) {\n"
			. "\tstatus_header( 403 );\n"
			. "\theader( 'Content-Type: text/plain; charset=utf-8' );\n"
			. "\techo 'XML-RPC is closed on this site.';\n"
			. "\texit;\n"
			. "}\n";
	}

	/**
	 * Returns where the file is.
	 */
	private static function path(): string {
		return WPMU_PLUGIN_DIR . '/' . self::FILE;
	}

	/**
	 * Returns where the file is until all of it is written.
	 */
	private static function unfinished(): string {
		return self::path() . '.new';
	}

	/**
	 * Returns whether the fix is on the site.
	 */
	public static function is_applied(): bool {
		return self::has_own_file();
	}

	/**
	 * Returns whether there is a file of this plugin, and not of somebody else.
	 */
	private static function has_own_file(): bool {
		if ( ! is_file( self::path() ) ) {
			return false;
		}
		// phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- It is a local file.
		return false !== strpos( (string) file_get_contents( self::path() ), self::MARK );
	}

	/**
	 * Closes XML-RPC.
	 *
	 * @return array{outcome: string, error: string}
	 */
	public static function apply(): array {
		if ( is_multisite() ) {
			return self::outcome( 'failed', 'The site is part of a multisite network, and the fix would change all sites of it. Nothing was changed.' );
		}
		if ( file_exists( self::path() ) && ! self::has_own_file() ) {
			return self::outcome( 'failed', 'wp-content/mu-plugins/' . self::FILE . ' exists and is not of Picket. It was left alone.' );
		}
		$before = self::home_status();
		if ( ! self::is_answer( $before ) ) {
			return self::outcome( 'failed', 'The site does not answer itself (' . $before . '), so the fix cannot be tested. Nothing was changed.' );
		}
		if ( Picket_Bridge_Connection::is_gone() ) {
			return self::outcome( 'failed', 'The plugin was deactivated before the change. Nothing was changed.' );
		}
		$problem = self::write();
		if ( '' !== $problem ) {
			return self::outcome( 'failed', $problem );
		}
		// Deactivation deletes the connection before it undoes: what is written after that is found here.
		if ( Picket_Bridge_Connection::is_gone() ) {
			return self::rolled_back( 'The plugin was deactivated during the change, so it was undone.' );
		}
		$after = self::home_status();
		$check = Picket_Bridge_Xmlrpc_Check::measure();
		if ( $after === $before && 'passing' === $check['status'] ) {
			return self::outcome( 'applied', '' );
		}
		$reason = $after === $before ? $check['evidence'] : "the home page answered with $after instead of $before";
		return self::rolled_back( 'The test after the change failed, so it was undone: ' . $reason );
	}

	/**
	 * Undoes a change.
	 *
	 * @param string $reason Why.
	 * @return array{outcome: string, error: string}
	 */
	private static function rolled_back( string $reason ): array {
		$undone = self::undo();
		return 'applied' === $undone['outcome'] ? self::outcome( 'rolled_back', $reason ) : $undone;
	}

	/**
	 * Removes the file, and the folder if the fix has created it.
	 *
	 * @return array{outcome: string, error: string}
	 */
	public static function undo(): array {
		// A process that was killed while it wrote has left it.
		if ( is_file( self::unfinished() ) ) {
			wp_delete_file( self::unfinished() );
		}
		if ( self::has_own_file() ) {
			wp_delete_file( self::path() );
			clearstatcache( true, self::path() );
			if ( file_exists( self::path() ) ) {
				return self::outcome( 'failed', 'wp-content/mu-plugins/' . self::FILE . ' cannot be deleted. Delete it by hand.' );
			}
			self::forget_compiled();
		}
		if ( get_option( 'picket_bridge_made_folder' ) ) {
			// It stays if somebody else uses it by now.
			// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions.file_system_operations_rmdir
			@rmdir( WPMU_PLUGIN_DIR );
			delete_option( 'picket_bridge_made_folder' );
		}
		return self::outcome( 'applied', '' );
	}

	/**
	 * Writes the file by a rename, so that no request sees half of it. Returns what failed, or an empty text.
	 */
	private static function write(): string {
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- WP_Filesystem may ask for FTP passwords.
		if ( ! is_dir( WPMU_PLUGIN_DIR ) ) {
			update_option( 'picket_bridge_made_folder', 1, false );
			if ( ! @mkdir( WPMU_PLUGIN_DIR, 0755 ) ) {
				delete_option( 'picket_bridge_made_folder' );
				return 'The folder wp-content/mu-plugins cannot be created. Nothing was changed.';
			}
		}
		$content    = self::content();
		$is_written = strlen( $content ) === @file_put_contents( self::unfinished(), $content );
		if ( $is_written && @rename( self::unfinished(), self::path() ) ) {
			self::forget_compiled();
			return '';
		}
		self::undo();
		// phpcs:enable
		return 'The folder wp-content/mu-plugins cannot be written. Nothing was changed.';
	}

	/**
	 * PHP may go on using what it has compiled of the file for some seconds.
	 */
	private static function forget_compiled(): void {
		if ( function_exists( 'opcache_invalidate' ) ) {
			// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged -- A host may forbid it, with a warning.
			@opcache_invalidate( self::path(), true );
		}
	}

	/**
	 * Returns the HTTP status of the home page, or why there is none.
	 */
	private static function home_status(): string {
		$response = wp_remote_get(
			home_url( '/' ),
			array(
				'redirection' => 0,
				'timeout'     => self::TIMEOUT_S,
				/** This filter is documented in wp-includes/class-wp-http-streams.php */
				'sslverify'   => apply_filters( 'https_local_ssl_verify', false ),
			)
		);
		return is_wp_error( $response ) ? $response->get_error_message() : 'HTTP ' . wp_remote_retrieve_response_code( $response );
	}

	/**
	 * Returns whether a status is of a site that works.
	 *
	 * @param string $status As `home_status` returns it.
	 */
	private static function is_answer( string $status ): bool {
		return 1 === preg_match( '/^HTTP [234]\d\d$/', $status );
	}

	/**
	 * Returns the result of a job.
	 *
	 * @param string $outcome One of applied, failed and rolled_back.
	 * @param string $error   What failed.
	 * @return array{outcome: string, error: string}
	 */
	private static function outcome( string $outcome, string $error ): array {
		return array(
			'outcome' => $outcome,
			'error'   => $error,
		);
	}
}
