<?php
/**
 * Files that this plugin makes to see what the web server does with them.
 *
 * @package PicketBridge
 */

/**
 * A folder of a random name below the uploads, for the time of a few requests. What a process that was killed has left is
 * removed by the next one.
 */
final class Picket_Bridge_Canary {

	const PREFIX = 'picket-canary-';

	/**
	 * What this measurement has found out about directives.
	 *
	 * @var string[]
	 */
	private static $problems = array();

	/**
	 * Makes a folder with files, calls a function with its URL, and removes the folder. Returns what the function returns, or an
	 * error if the folder cannot be made.
	 *
	 * @param string[] $files The contents by name. A name may be in a folder.
	 * @param callable $visit What is done meanwhile.
	 * @return mixed
	 */
	public static function with( array $files, callable $visit ) {
		$uploads = wp_get_upload_dir();
		$base    = $uploads['basedir'];
		$is_made = ! is_dir( $base );
		$name    = self::PREFIX . bin2hex( random_bytes( 8 ) );
		$folder  = "$base/$name";
		// A time limit or a fatal error ends the function, and `finally` is not reached.
		register_shutdown_function(
			static function () use ( $folder ) {
				self::remove( $folder );
			}
		);
		try {
			foreach ( $files as $file => $content ) {
				if ( ! self::put( "$folder/$file", $content ) ) {
					return new WP_Error( 'picket_bridge_canary', 'the folder of uploads cannot be written' );
				}
			}
			return $visit( $uploads['baseurl'] . '/' . $name );
		} finally {
			self::remove( $folder );
			if ( $is_made ) {
				// phpcs:ignore WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- It may be in use.
				@rmdir( $base );
			}
		}
	}

	/**
	 * Forgets what was seen.
	 */
	public static function forget(): void {
		self::$problems = array();
	}

	/**
	 * Returns why directives cannot be used in a .htaccess file here, or an empty text, also if that cannot be found out. They
	 * are tried in a folder of their own, so that the site does not break.
	 *
	 * @param string $directives Of a .htaccess file.
	 */
	public static function problem_with( string $directives ): string {
		if ( ! isset( self::$problems[ $directives ] ) ) {
			self::$problems[ $directives ] = self::tried( $directives );
		}
		return self::$problems[ $directives ];
	}

	/**
	 * Tries directives.
	 *
	 * @param string $directives Of a .htaccess file.
	 */
	private static function tried( string $directives ): string {
		$files  = array(
			'open.txt'   => 'open',
			'closed.txt' => 'closed',
			'.htaccess'  => $directives . "<Files \"closed.txt\">\nRequire all denied\n</Files>\n",
		);
		$result = self::with(
			$files,
			static function ( string $url ): string {
				$open   = Picket_Bridge_Self_Request::once( 'GET', "$url/open.txt" );
				$closed = Picket_Bridge_Self_Request::once( 'GET', "$url/closed.txt" );
				if ( is_wp_error( $open ) || is_wp_error( $closed ) ) {
					return '';
				}
				if ( 500 === $open['status'] ) {
					return 'The web server does not allow these directives in a .htaccess file.';
				}
				return 200 === $closed['status'] && 'closed' === trim( $closed['body'] ) ? 'The web server does not read .htaccess files.' : '';
			}
		);
		return is_string( $result ) ? $result : '';
	}

	/**
	 * Removes what other processes have left. Nobody else may be measuring.
	 */
	public static function sweep(): void {
		foreach ( (array) glob( wp_get_upload_dir()['basedir'] . '/' . self::PREFIX . '*', GLOB_ONLYDIR ) as $folder ) {
			self::remove( (string) $folder );
		}
	}

	/**
	 * Writes a file. Returns whether all of it is written.
	 *
	 * @param string $path    Where.
	 * @param string $content What.
	 */
	private static function put( string $path, string $content ): bool {
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- WP_Filesystem may ask for FTP passwords.
		if ( ! is_dir( dirname( $path ) ) && ! @mkdir( dirname( $path ), 0755, true ) ) {
			return false;
		}
		return strlen( $content ) === @file_put_contents( $path, $content );
		// phpcs:enable
	}

	/**
	 * Removes a folder of canaries. A link is not followed.
	 *
	 * @param string $folder The folder.
	 */
	private static function remove( string $folder ): void {
		if ( is_link( $folder ) || ! is_dir( $folder ) ) {
			return;
		}
		// phpcs:disable WordPress.PHP.NoSilencedErrors.Discouraged, WordPress.WP.AlternativeFunctions -- Another process may have been faster.
		foreach ( array_diff( (array) @scandir( $folder ), array( '.', '..', false ) ) as $name ) {
			$path = "$folder/$name";
			is_dir( $path ) && ! is_link( $path ) ? self::remove( $path ) : @unlink( $path );
		}
		@rmdir( $folder );
		// phpcs:enable
	}
}
